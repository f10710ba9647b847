/** What is known of the models' state, shared by all sessions of a service. */
export interface ModelHealth {
  isAvailable(model: string): boolean;
}
