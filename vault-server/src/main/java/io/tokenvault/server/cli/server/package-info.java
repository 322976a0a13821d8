/**
 * Commands that run or copy a whole vault: serve, demo, backup and restore. {@code Serve} is the
 * usual entry.
 */
package io.tokenvault.server.cli.server;
