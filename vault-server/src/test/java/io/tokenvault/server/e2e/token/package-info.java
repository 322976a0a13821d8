/** Tokens over HTTP: creation, search, change, masks, aliases, expiry and erasure. */
package io.tokenvault.server.e2e.token;
