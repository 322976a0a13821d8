/**
 * The command line. Start with {@code RootCommand}, which lists all commands, and {@code
 * VaultCommand}, their common part. {@code CommandFailures} defines which exceptions are shown to
 * the operator. A class holds one command, or several small ones on the same subject.
 */
package io.tokenvault.server.cli;
