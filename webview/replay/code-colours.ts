import type { TokenColours } from '../../extension/protocol/panel/token-roles.ts';

/** The colors of VS Code's default themes. */
export const CODE_COLOURS = {
  dark: {
    comment: '#6A9955',
    string: '#CE9178',
    number: '#B5CEA8',
    constant: '#569CD6',
    keyword: '#569CD6',
    control: '#C586C0',
    type: '#4EC9B0',
    function: '#DCDCAA',
    variable: '#9CDCFE',
    property: '#9CDCFE',
  },
  light: {
    comment: '#008000',
    string: '#A31515',
    number: '#098658',
    constant: '#0000FF',
    keyword: '#0000FF',
    control: '#AF00DB',
    type: '#267F99',
    function: '#795E26',
    variable: '#001080',
    property: '#001080',
  },
} satisfies Readonly<Record<string, TokenColours>>;
