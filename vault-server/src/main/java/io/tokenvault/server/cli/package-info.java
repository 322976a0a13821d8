/**
 * The command line. Start with {@code RootCommand}. Commands live in sub-packages by subject;
 * results go to stdout, messages and logs to stderr.
 */
package io.tokenvault.server.cli;
