/**
 * Importing files of tokens. Start with {@code TokenFileImport}. Progress is kept beside the file,
 * so that an import can go on after a failure.
 */
package io.tokenvault.server.imports;
