package habemus.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What a program that uses the library needs besides. */
@AnalyzeClasses(packages = "habemus.client", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule it_needs_the_core_and_a_log = classes()
            .that()
            .doNotHaveSimpleName("MicrometerMeters")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "javax.net.ssl..", "habemus..", "org.slf4j..", "org.jspecify..");

    @ArchTest
    static final ArchRule of_the_core_it_needs_the_session_and_its_bytes = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("habemus.world..", "habemus.simulate..", "habemus.check..", "habemus.catalogue..");

    @ArchTest
    static final ArchRule only_one_class_needs_a_database = noClasses()
            .that()
            .doNotHaveSimpleName("JdbcFenceGuard")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..");
}
