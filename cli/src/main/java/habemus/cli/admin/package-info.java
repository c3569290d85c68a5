/** Commands for operators: holders, leaders, sessions, members, backups, audit log. */
@NullMarked
package habemus.cli.admin;

import org.jspecify.annotations.NullMarked;
