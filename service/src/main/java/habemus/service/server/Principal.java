package habemus.service.server;

import habemus.lockservice.ResourceName;
import habemus.lockservice.name.NameRule;
import java.util.List;

/**
 * An authenticated client and its permissions.
 *
 * @param name shown in the log and in the audit records
 */
public record Principal(String name, List<Rule> rules) {

    /** Every client of a node without a policy. */
    public static final Principal ANONYMOUS =
            new Principal("anonymous", List.of(new Rule(List.of(Permission.values()), "", false)));

    /** @throws IllegalArgumentException if the name is refused */
    public Principal {
        NameRule.require("principal", name);
        rules = List.copyOf(rules);
    }

    /** What a principal may do with locks, semaphores and elections. */
    public enum Permission {
        /** Acquire, release and campaign. */
        USE,
        /** Read holders, waiters and history. */
        INSPECT,
        /** Revoke, transfer and expire. */
        ADMINISTER
    }

    /**
     * @param pattern a name, or a prefix of names
     * @param isExact whether the pattern is a name
     */
    public record Rule(List<Permission> permissions, String pattern, boolean isExact) {
        public Rule {
            permissions = List.copyOf(permissions);
        }

        private boolean allows(Permission permission, String name) {
            return permissions.contains(permission) && (isExact ? name.equals(pattern) : name.startsWith(pattern));
        }
    }

    public boolean isAllowed(Permission permission, ResourceName resourceName) {
        return rules.stream().anyMatch(rule -> rule.allows(permission, resourceName.text()));
    }

    /** Whether a rule allows it for any name. */
    public boolean isAllowedAnywhere(Permission permission) {
        return rules.stream().anyMatch(rule -> rule.permissions().contains(permission));
    }

    /** Whether a rule allows it for all names. */
    public boolean isAllowedEverywhere(Permission permission) {
        return rules.stream().anyMatch(rule -> rule.allows(permission, "") && !rule.isExact());
    }
}
