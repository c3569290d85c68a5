package habemus.service.session;

import habemus.fenced.Name;
import java.util.List;

/**
 * Whoever comes in by a door, as far as that is known, and what it may do.
 *
 * @param name for the log and the audit
 */
public record Visitor(String name, List<Rule> rules) {

    /** Where nobody is asked who he is. */
    public static final Visitor ANYBODY = new Visitor("anybody", List.of(new Rule(List.of(Right.values()), "", false)));

    public Visitor {
        rules = List.copyOf(rules);
    }

    /** What one may do with locks, semaphores and elections. */
    public enum Right {
        /** To acquire them, and to campaign. */
        USE,
        /** To see who holds and who waits. */
        INSPECT,
        /** To take them from whoever has them. */
        ADMINISTER
    }

    /**
     * @param names how those begin that it is about
     * @param only whether it is about the one name that is called just so
     */
    public record Rule(List<Right> rights, String names, boolean only) {
        public Rule {
            rights = List.copyOf(rights);
        }

        private boolean allows(Right right, String name) {
            return rights.contains(right) && (only ? name.equals(names) : name.startsWith(names));
        }
    }

    public boolean may(Right right, Name name) {
        return rules.stream().anyMatch(rule -> rule.allows(right, name.text()));
    }

    /** Whatever its name. */
    public boolean mayEverywhere(Right right) {
        return rules.stream().anyMatch(rule -> rule.allows(right, "") && !rule.only());
    }
}
