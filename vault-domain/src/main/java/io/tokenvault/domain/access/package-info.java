/** Access rules: containers, conditions, and the decision that explains itself. */
package io.tokenvault.domain.access;
