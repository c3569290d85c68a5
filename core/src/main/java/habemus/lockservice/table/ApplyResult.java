package habemus.lockservice.table;

import java.util.List;

/** The table after a batch, and the notifications for clients in the order of the commands. */
public record ApplyResult(LockTable table, List<Notification> notifications) {}
