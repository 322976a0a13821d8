/** Commands that run or copy a whole vault: serve, demo, backup and restore. */
package io.tokenvault.server.cli.server;
