/** Pre-configured proxies and the rules for destinations. */
package io.tokenvault.domain.proxy;
