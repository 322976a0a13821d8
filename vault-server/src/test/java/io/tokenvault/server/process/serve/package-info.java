/** Tests of a server's start and shutdown, listeners, output, and limits. */
package io.tokenvault.server.process.serve;
