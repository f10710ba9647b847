/** Where a page finds what was typed and opened in the one before, when that was in another place. */
export const CARRIED_VIEW = 'gantry-carried-view';
