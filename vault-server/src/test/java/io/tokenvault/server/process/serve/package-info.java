/** The start and the end of a server, its listeners, its output and its limits. */
package io.tokenvault.server.process.serve;
