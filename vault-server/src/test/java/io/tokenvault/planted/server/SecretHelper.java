package io.tokenvault.planted.server;

/** Breaks: names say something; records hold no bare secret. */
record SecretHelper(String password) {}
