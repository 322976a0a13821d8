/** Dumps and checkpoints of the log, as lines of JSON. */
package io.tokenvault.server.audit;
