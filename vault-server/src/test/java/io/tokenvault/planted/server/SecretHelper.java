package io.tokenvault.planted.server;

/** Violates: class names are specific; records have no plain secret. */
record SecretHelper(String password) {}
