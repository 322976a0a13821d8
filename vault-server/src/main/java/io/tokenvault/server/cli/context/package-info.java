/**
 * The common parts of commands: streams, exit codes and JSON lines. Start with {@code
 * CommandContext}. {@code CommandFailures} defines which exceptions are shown to the operator.
 */
package io.tokenvault.server.cli.context;
