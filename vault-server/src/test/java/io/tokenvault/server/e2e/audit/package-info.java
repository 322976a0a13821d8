/** The audit log over HTTP, and the guarantee that nothing is returned or sent unrecorded. */
package io.tokenvault.server.e2e.audit;
