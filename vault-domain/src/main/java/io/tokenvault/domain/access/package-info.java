/**
 * Permissions, access rules and explainable decisions. Start with {@code Authority}, which decides
 * by the {@code AccessPolicy} of a caller and its limits; {@code AccessPolicyDraft} builds
 * policies. A policy denies by default; a rule only adds. Containers and conditions select the
 * tokens that a rule applies to.
 */
package io.tokenvault.domain.access;
