package habemus.service.log;

import java.util.Optional;

/**
 * What a log runs on, and whether it works.
 *
 * @param engine what stores the entries, such as {@code PostgreSQL 15.8, database app}
 * @param problem why this node cannot reach the engine, in one line; empty if it can
 */
public record LogHealth(String engine, Optional<String> problem) {

    /** The health of an engine that can be reached. */
    public static LogHealth good(String engine) {
        return new LogHealth(engine, Optional.empty());
    }
}
