/**
 * Importing tokens from a file. {@code TokensImport} is the command; {@code RejectedLines} reports
 * lines that are not valid.
 */
package io.tokenvault.server.cli.token;
