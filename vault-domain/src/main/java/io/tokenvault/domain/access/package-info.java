/**
 * Permissions, access rules and explainable decisions. Start with {@code AccessPolicy} and {@code
 * Decision}. A policy denies by default; a rule only adds. Containers and conditions select the
 * tokens that a rule applies to.
 */
package io.tokenvault.domain.access;
