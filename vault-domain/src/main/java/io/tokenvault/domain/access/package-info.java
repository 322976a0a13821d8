/**
 * Permissions, access rules and the decision that explains itself. Start with {@code AccessPolicy}
 * and {@code Decision}. A policy denies by default; a rule only adds. Containers and conditions
 * select the tokens that a rule is about.
 */
package io.tokenvault.domain.access;
