/** Tenants, the owners of everything else, and who did what when. */
package io.tokenvault.domain.tenant;
