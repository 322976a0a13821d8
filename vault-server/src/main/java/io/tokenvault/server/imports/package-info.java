/**
 * Importing files of tokens. Start with {@code TokenFileImport}. {@code RejectedLines} reports
 * lines that are not valid. Progress is stored beside the file, so that an import can continue
 * after a failure and imports nothing twice.
 */
package io.tokenvault.server.imports;
