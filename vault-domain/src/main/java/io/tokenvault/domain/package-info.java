/**
 * The vault's rules, without a database or a network. Depends on the JDK only, so that a service
 * can embed it to decide on permissions and access rules. Start with {@code access.AccessPolicy}.
 */
package io.tokenvault.domain;
