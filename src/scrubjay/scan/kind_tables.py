"""Which names are text, and in which language? Data only: the tables that `kinds` reads.

Names and extensions are lower case; a language is spelled as grammars and editors usually do.
"""

from __future__ import annotations

EXTENSIONS = {
    # programs
    "actionscript": "as",
    "ada": "adb ads",
    "agda": "agda lagda",
    "apex": "cls trigger apex",
    "applescript": "applescript",
    "arduino": "ino pde",
    "asm": "asm s nasm masm a51",
    "autohotkey": "ahk",
    "awk": "awk gawk",
    "ballerina": "bal",
    "bash": "sh bash zsh ksh ash bats ebuild eclass command",
    "basic": "bas bi",
    "batch": "bat cmd",
    "c": "c h",
    "cairo": "cairo",
    "chapel": "chpl",
    "clojure": "clj cljs cljc edn bb boot",
    "cobol": "cob cbl cpy cobol",
    "coffeescript": "coffee litcoffee cson iced",
    "commonlisp": "lisp lsp cl asd",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp tpp txx inl ixx cppm mpp",
    "crystal": "cr ecr",
    "csharp": "cs csx cake",
    "cuda": "cu cuh",
    "cython": "pyx pxd pxi",
    "d": "d di",
    "dart": "dart",
    "delphi": "dpr dpk dfm",
    "eiffel": "e",
    "elixir": "ex exs",
    "elm": "elm",
    "elisp": "el",
    "erlang": "erl hrl escript xrl yrl",
    "factor": "factor",
    "fennel": "fnl",
    "fish": "fish",
    "forth": "fth 4th forth",
    "fortran": "f f77 f90 f95 f03 f08 for ftn fpp",
    "fsharp": "fs fsx fsi",
    "gdscript": "gd",
    "gleam": "gleam",
    "glsl": "glsl vert frag geom comp tesc tese rgen rchit rmiss",
    "go": "go",
    "groovy": "groovy gradle gvy gsh jenkinsfile",
    "hack": "hack",
    "haskell": "hs lhs hsc hs-boot",
    "haxe": "hx",
    "hlsl": "hlsl fx fxh cginc shader compute",
    "idris": "idr lidr",
    "java": "java jsh",
    "javascript": "js mjs cjs jsx es6 jsm",
    "jq": "jq",
    "julia": "jl",
    "kotlin": "kt kts ktm",
    "lean": "lean",
    "livescript": "ls",
    "lua": "lua rockspec luau nse",
    "metal": "metal",
    "mojo": "mojo",
    "moonscript": "moon",
    "move": "move",
    "nim": "nim nims nimble",
    "nix": "nix",
    "nushell": "nu",
    "objc": "m mm",
    "ocaml": "ml mli mll mly eliom",
    "odin": "odin",
    "opencl": "opencl clh",
    "pascal": "pas lpr",
    "perl": "pl pm t pod psgi",
    "php": "php phtml php3 php4 php5 php7 phps",
    "pony": "pony",
    "powershell": "ps1 psm1 psd1",
    "prolog": "pro prolog plt",
    "puppet": "pp epp",
    "purescript": "purs",
    "python": "py pyi pyw py3 wsgi gyp gypi bzlmod",
    "qml": "qml",
    "r": "r rprofile",
    "racket": "rkt rktl rktd scrbl",
    "reason": "re rei",
    "rescript": "res resi",
    "ruby": "rb rake gemspec ru podspec thor jbuilder rbi rbs rabl builder",
    "rust": "rs",
    "sas": "sas",
    "scala": "scala sc sbt",
    "scheme": "scm ss sld sls sps",
    "smalltalk": "st",
    "solidity": "sol",
    "sml": "sml fun",
    "sql": "sql ddl dml psql pgsql mysql plsql pks pkb hql cql",
    "stan": "stan",
    "starlark": "bazel bzl star sky",
    "stata": "do ado",
    "swift": "swift swiftinterface",
    "systemverilog": "sv svh",
    "tcl": "tcl tk itcl",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "vala": "vala vapi",
    "vb": "vb vbs vba frm",
    "verilog": "v vh",
    "vhdl": "vhd vhdl",
    "vim": "vim vimrc",
    "vyper": "vy",
    "wat": "wat wast",
    "wgsl": "wgsl",
    "wit": "wit",
    "zig": "zig zon",
    # the web and templates
    "astro": "astro",
    "css": "css pcss postcss wxss",
    "ejs": "ejs",
    "embedded_template": "erb rhtml",
    "gotmpl": "tmpl gohtml gotmpl",
    "haml": "haml",
    "handlebars": "hbs handlebars mustache",
    "heex": "heex eex leex",
    "html": "html htm xhtml xht shtml jsp jspx jspf tag asp aspx ascx master cshtml razor vbhtml "
    "ftl vm gsp cfm cfml wxml marko riot htc",
    "jinja2": "j2 jinja jinja2 twig njk nunjucks tpl",
    "less": "less",
    "liquid": "liquid",
    "pug": "pug jade",
    "sass": "sass",
    "scss": "scss",
    "slim": "slim",
    "stylus": "styl stylus",
    "svelte": "svelte",
    "vue": "vue",
    # data and configuration
    "avro": "avsc avdl",
    "bicep": "bicep",
    "capnp": "capnp",
    "cmake": "cmake",
    "csv": "csv tsv psv",
    "cue": "cue",
    "dhall": "dhall",
    "dockerfile": "dockerfile containerfile",
    "dot": "dot gv",
    "dtd": "dtd ent",
    "editorconfig": "editorconfig",
    "flatbuffers": "fbs",
    "gettext": "po pot",
    "gitignore": "gitignore dockerignore gitattributes npmignore eslintignore prettierignore "
    "stylelintignore hgignore helmignore gcloudignore vscodeignore scrubjayignore",
    "gn": "gn gni",
    "graphql": "graphql gql graphqls",
    "hcl": "hcl tf tfvars nomad tofu",
    "ini": "ini cfg conf config cnf desktop service socket timer mount target npmrc nvmrc inf reg "
    "editrc flake8 pylintrc coveragerc pypirc yarnrc gitconfig gitmodules tmux prefs url",
    "json": "json jsonl ndjson geojson topojson webmanifest har jscsrc jshintrc prettierrc "
    "eslintrc babelrc swcrc stylelintrc bowerrc mocharc nycrc code-workspace arb "
    "sublime-project sublime-settings importmap jsonld gltf hintrc",
    "json5": "json5",
    "jsonc": "jsonc",
    "jsonnet": "jsonnet libsonnet",
    "jupyter": "ipynb",
    "just": "just",
    "kdl": "kdl",
    "ldif": "ldif",
    "linkerscript": "ld lds",
    "make": "mk mak make makefile am",
    "m4": "m4 ac",
    "meson": "meson",
    "ninja": "ninja",
    "prisma": "prisma",
    "properties": "properties prop",
    "proto": "proto textproto pbtxt",
    "rego": "rego",
    "ron": "ron",
    "smithy": "smithy",
    "thrift": "thrift",
    "tla": "tla",
    "toml": "toml",
    "turtle": "ttl n3 nt nq trig",
    "sparql": "sparql rq",
    "xml": "xml xaml plist xsd xsl xslt wsdl wadl csproj fsproj vbproj vcxproj props targets "
    "nuspec resx pom iml axml storyboard xib xlf xliff rss atom kml gpx opml dita ditamap fxml "
    "jelly tmx ui qrc xmi xul rdf owl mml entitlements xcscheme slnx manifest",
    "yaml": "yaml yml clang-format clang-tidy clangd cff eyaml mir raml",
    # prose
    "asciidoc": "adoc asciidoc",
    "bibtex": "bib",
    "diff": "diff patch",
    "fountain": "fountain",
    "gherkin": "feature",
    "latex": "tex sty ltx bbx cbx dtx ins",
    "markdown": "md markdown mkd mkdn mdown mdwn mdx rmd qmd livemd mdc mdwiki",
    "mermaid": "mmd mermaid",
    "org": "org",
    "plantuml": "puml plantuml iuml",
    "rdoc": "rdoc",
    "rst": "rst rest",
    "subtitles": "srt vtt",
    "roff": "man roff troff mdoc",
    "texinfo": "texi texinfo",
    "text": "txt text inc log sln license readme todo rtx eml ics vcf lst",
    "textile": "textile",
    "typst": "typ",
    "wiki": "wiki mediawiki creole",
}
"""Language to its extensions."""

NAMES = {
    "bash": ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
    ".zprofile .zlogin .zlogout .kshrc .xinitrc .xprofile .inputrc pkgbuild apkbuild configure "
    "gradlew mvnw install-sh",
    "cmake": "cmakelists.txt",
    "dockerfile": "dockerfile containerfile",
    "dotenv": ".env.example .env.sample .env.template .env.dist",
    "editorconfig": ".editorconfig",
    "gitignore": ".gitignore .gitattributes .gitkeep .dockerignore .npmignore .eslintignore "
    ".prettierignore .stylelintignore .hgignore .helmignore .gcloudignore .vscodeignore "
    ".containerignore .ignore .rgignore .scrubjayignore codeowners .mailmap "
    ".git-blame-ignore-revs .cursorignore .bazelignore .slugignore",
    "gomod": "go.mod go.work",
    "groovy": "jenkinsfile",
    "ini": ".gitconfig .gitmodules .npmrc .nvmrc .yarnrc .pylintrc .flake8 .coveragerc .hgrc "
    ".wgetrc .curlrc .screenrc .tmux.conf .buckconfig .python-version .ruby-version "
    ".node-version .tool-versions .terraform-version .java-version .sdkmanrc .bazelrc "
    ".bazelversion .condarc .isort.cfg .pydistutils.cfg .ackrc .htaccess caddyfile",
    "json": ".prettierrc .eslintrc .babelrc .swcrc .stylelintrc .bowerrc .jshintrc .jscsrc "
    ".mocharc .nycrc .watchmanconfig .lintstagedrc .releaserc .commitlintrc .huskyrc .postcssrc "
    ".csslintrc .htmlhintrc",
    "just": "justfile .justfile",
    "lua": ".luacheckrc",
    "make": "makefile gnumakefile bsdmakefile kbuild",
    "m4": "configure.ac configure.in",
    "meson": "meson.build meson_options.txt meson.options",
    "kconfig": "kconfig",
    "nginx": "nginx.conf",
    "perl": "cpanfile makefile.pl build.pl",
    "properties": "gradle.properties",
    "python": "sconstruct sconscript snakefile wscript .pythonrc .pythonstartup",
    "requirements": "requirements.in constraints.in",
    "ruby": "gemfile rakefile podfile brewfile vagrantfile guardfile capfile fastfile appfile "
    "matchfile berksfile thorfile dangerfile puppetfile steepfile .irbrc .pryrc .gemrc .rspec "
    ".simplecov deliverfile snapfile",
    "r": ".rprofile",
    "starlark": "build workspace build.bazel workspace.bazel module.bazel buck tiltfile",
    "text": "readme license licence changelog authors contributing copying notice history news "
    "todo thanks install maintainers contributors credits changes copyright patents unlicense "
    "security support faq hacking bugs release version owners procfile manifest manifest.in "
    "license-mit license-apache license.mit license.apache license-bsd license-lgpl "
    "copying.lesser copying.lib copying.gpl copying.lgpl license.lesser license.bsd pkg-info "
    "readme-dev .plan",
    "toml": "pipfile .taplo.toml",
    "vim": ".vimrc .gvimrc .ideavimrc _vimrc .exrc vimrc gvimrc",
    "elisp": ".emacs _emacs cask .dir-locals.el",
    "yaml": ".clang-format .clang-tidy .clangd .yamllint .rubocop",
    "earthfile": "earthfile",
}
"""Language to the whole names that need no extension, or are better known by name."""

STEMS = {
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "makefile": "make",
    "gnumakefile": "make",
    "jenkinsfile": "groovy",
    "procfile": "text",
    "kconfig": "kconfig",
    "vagrantfile": "ruby",
    "brewfile": "ruby",
}
"""Names that people lengthen by a purpose: `Dockerfile.dev`, `Makefile.am`, `Kconfig.debug`."""

LOCKFILES = (
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-lock.yml bun.lockb "
    "bun.lock deno.lock composer.lock gemfile.lock gems.locked poetry.lock pipfile.lock "
    "pdm.lock uv.lock pixi.lock conda-lock.yml cargo.lock go.sum go.work.sum flake.lock "
    "packages.lock.json project.assets.json paket.lock mix.lock rebar.lock pubspec.lock "
    "podfile.lock package.resolved cartfile.resolved gradle.lockfile "
    "buildscript-gradle.lockfile stack.yaml.lock cabal.project.freeze elm-stuff.json shard.lock "
    "spago.lock .terraform.lock.hcl chart.lock module.bazel.lock maven_install.json "
    "manifest.toml.lock opam.locked jsonnetfile.lock.json renv.lock .package-lock.json"
)
"""Whole names of dependency locks."""

GENERATED_SUFFIXES = (".min.js", ".min.mjs", ".min.cjs", ".min.css", ".map", ".snap")
"""Endings of files that tools write and no one reads."""

LOCK_SUFFIX = ".lock"
UNLISTED_SUFFIXES = (".svg",)
"""Text that never answers a question: left out even where a wrapper or a stem would admit it."""

WRAPPERS = ("bak", "example", "sample", "template", "dist", "orig", "in")
"""Extensions that say something of the copy, not of the contents: the inner name decides."""

EXAMPLE_ENDINGS = (".example", ".sample", ".template", ".dist")
"""What makes an `.env` file one without secrets."""

OPAQUE_EXTENSIONS = (
    "gz bz2 xz zst zip tar tgz 7z rar png jpg jpeg gif webp ico pdf doc docx odt xls xlsx ppt "
    "pptx exe dll so dylib a o obj class jar war pyc pyo db sqlite swp swo log tmp lock asc sig "
    "key pem env"
)
"""Never admitted as the purpose after a stem."""

SHEBANG_LANGUAGES = {
    "python": "python pypy ipython pythonw uv",
    "bash": "sh bash dash zsh ksh ash mksh busybox bats",
    "fish": "fish",
    "javascript": "node nodejs bun deno gjs zx",
    "typescript": "ts-node tsx",
    "ruby": "ruby jruby macruby rake",
    "perl": "perl",
    "php": "php",
    "lua": "lua luajit texlua",
    "tcl": "tclsh wish expect",
    "awk": "awk gawk mawk nawk",
    "groovy": "groovy",
    "scala": "scala amm",
    "kotlin": "kotlin kotlinc",
    "java": "java",
    "haskell": "runhaskell runghc stack cabal",
    "ocaml": "ocaml ocamlrun",
    "elixir": "elixir iex",
    "erlang": "escript",
    "clojure": "clojure clj bb",
    "racket": "racket",
    "scheme": "guile scheme chicken csi",
    "commonlisp": "sbcl clisp ecl",
    "r": "rscript r",
    "julia": "julia",
    "powershell": "pwsh powershell",
    "make": "make gmake",
    "nushell": "nu",
    "crystal": "crystal",
    "swift": "swift",
    "dart": "dart",
    "jq": "jq",
    "just": "just",
    "text": "sed",
}
"""Language to the interpreters of a `#!` line, without version numbers."""
