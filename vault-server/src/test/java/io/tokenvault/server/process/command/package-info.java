/** The commands, most of them beside a server that goes on. */
package io.tokenvault.server.process.command;
