/** The vocabulary of the audit log. */
package io.tokenvault.domain.audit;
