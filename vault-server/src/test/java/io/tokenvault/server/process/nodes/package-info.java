/** Tests of several servers on one database: changes, restarts, and unknown outcomes. */
package io.tokenvault.server.process.nodes;
