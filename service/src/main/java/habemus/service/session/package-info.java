/** A node of the lock service: who drives its machine, the door for clients, who may do what, and how much of it. */
@NullMarked
package habemus.service.session;

import org.jspecify.annotations.NullMarked;
