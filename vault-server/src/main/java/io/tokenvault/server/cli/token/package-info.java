/** Importing tokens from a file. */
package io.tokenvault.server.cli.token;
