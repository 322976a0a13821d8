/** What commands share: streams, exit codes, JSON lines. Start with {@code CommandContext}. */
package io.tokenvault.server.cli.context;
