package habemus.lockservice.table;

import java.util.List;

/** The table after an entry, and what came of it. */
public record ApplyResult(LockTable lockTable, List<Notification> notifications) {}
