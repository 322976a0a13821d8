/**
 * Contract suites for stores: a class per port, with a test per law. Start with {@link
 * io.tokenvault.ports.contract.StoreFixture}, which an adapter implements once for all suites.
 */
package io.tokenvault.ports.contract;
