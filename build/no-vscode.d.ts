// Replaces the types of VS Code in worlds without it, so that importing it is an error.
