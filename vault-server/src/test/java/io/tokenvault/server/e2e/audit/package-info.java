/** The audit log over HTTP, and that nothing is returned or sent unrecorded whatever fails. */
package io.tokenvault.server.e2e.audit;
