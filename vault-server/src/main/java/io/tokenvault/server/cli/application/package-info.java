/**
 * Commands that manage applications. The API has everything else; only a lost key needs a command.
 */
package io.tokenvault.server.cli.application;
