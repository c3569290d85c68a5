package habemus.service.server;

import habemus.lockservice.ResourceName;
import java.util.List;

/**
 * Whoever comes in by a door, as far as that is known, and what it may do.
 *
 * @param name for the log and the audit
 */
public record Principal(String name, List<Rule> rules) {

    /** Where nobody is asked who he is. */
    public static final Principal ANONYMOUS =
            new Principal("anybody", List.of(new Rule(List.of(Permission.values()), "", false)));

    public Principal {
        rules = List.copyOf(rules);
    }

    /** What one may do with locks, semaphores and elections. */
    public enum Permission {
        /** To acquire them, and to campaign. */
        USE,
        /** To see who holds and who waits. */
        INSPECT,
        /** To take them from whoever has them. */
        ADMINISTER
    }

    /**
     * @param pattern how those begin that it is about
     * @param isExact whether it is about the one name that is called just so
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

    /** Whatever its name. */
    public boolean isAllowedEverywhere(Permission permission) {
        return rules.stream().anyMatch(rule -> rule.allows(permission, "") && !rule.isExact());
    }
}
