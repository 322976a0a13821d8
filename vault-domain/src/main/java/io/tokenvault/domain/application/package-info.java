/**
 * Applications, which hold API keys. Start with {@code Application}. An application is valid until
 * its {@code expires_at} or until it is deleted.
 */
package io.tokenvault.domain.application;
