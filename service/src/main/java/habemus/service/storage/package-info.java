/** Files that are replaced as a whole, synced, and verified by checksum when they are read. */
@NullMarked
package habemus.service.storage;

import org.jspecify.annotations.NullMarked;
