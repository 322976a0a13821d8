/** Files with which the program is deployed. */
package io.tokenvault.packaging;
