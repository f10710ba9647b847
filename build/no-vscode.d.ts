// Instead of the types of VS Code, in worlds that have none: an import of it is an error.
