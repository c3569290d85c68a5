/** The versioned, checksummed bytes of log entries and snapshots. */
@NullMarked
package habemus.lockservice.storage;

import org.jspecify.annotations.NullMarked;
