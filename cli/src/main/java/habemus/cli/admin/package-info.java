/** Commands for operators: who holds what, who leads, backups, audits. */
@NullMarked
package habemus.cli.admin;

import org.jspecify.annotations.NullMarked;
