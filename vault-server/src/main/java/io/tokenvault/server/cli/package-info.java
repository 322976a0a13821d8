/** The command line: one class for each command; results go to stdout, logs to stderr. */
package io.tokenvault.server.cli;
