/** Tests of the commands, most of them while a server runs. */
package io.tokenvault.server.process.command;
