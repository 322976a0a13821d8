/**
 * The command line. Start with {@code RootCommand}. Commands are in one sub-package for each
 * subject. Results are written to standard output, messages and logs to standard error.
 */
package io.tokenvault.server.cli;
