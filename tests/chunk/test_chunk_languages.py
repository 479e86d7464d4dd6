"""What each language defines and imports, on a small source of its own."""

from __future__ import annotations

import pytest
from chunk_checks import chunked

SAMPLES = {
    "python": (
        """\
from __future__ import annotations
import os, sys
from a import (
    b,
)

MAX_SIZE: int = 10

# Doc of f.
@deco
@other(1)
async def f(x):
    def inner():
        pass
    return inner

if TYPE_CHECKING:
    import c

    class Small:
        \"\"\"Doc.\"\"\"

        # about run
        @property
        def run(self):
            return 1

        class Inner:
            LIMIT = 3
            def deep(self): pass
type Alias = int
""",
        """
        constant MAX_SIZE
        function f
        class Small
        method Small > run
        class Small > Inner
        constant Small.Inner > LIMIT
        method Small.Inner > deep
        type Alias
        """,
        [(1, 5), (18, 18)],
    ),
    "javascript": (
        """\
import a from "a";
import { b } from "b";
const c = require("c");

/** Doc of f. */
export function f(x) { return x; }

export default class Widget extends Base {
  // grows
  grow() { return 1; }
  static #hidden = () => 2;
  handler = (e) => { return e; };
}
const arrow = async (x) => x + 1;
exports.run = function () { return 3; };
Widget.prototype.shrink = function () {};
module.exports = { f };
function* gen() {}
""",
        """
        function f
        class Widget
        method Widget > grow
        method Widget > #hidden
        method Widget > handler
        function arrow
        function run
        method Widget > shrink
        function gen
        """,
        [(1, 3)],
    ),
    "typescript": (
        """\
import type { A } from "./a";
import x = require("x");
export interface Shape<T> { area(): number; name: string }
export type Id = string | number;
export enum Color { Red }
declare module "foo" { export function g(): void; }
namespace N { export const h = () => 1; }
@Component({ selector: "x" })
export abstract class Base {
  @Input() name: string;
  /** doc */
  abstract run(): void;
  get size(): number { return 1; } }
export const useThing = (): void => {};
export * from "./b";
function over(a: string): void;
function over(a: any) {}
""",
        """
        interface Shape
        method Shape > area
        type Id
        enum Color
        module foo
        function foo > g
        namespace N
        function N > h
        class Base
        method Base > run
        method Base > size
        function useThing
        function over
        function over
        """,
        [(1, 2), (15, 15)],
    ),
    "tsx": (
        """\
import React from "react";

/** Doc */
export const Button: React.FC<Props> = ({ label }) => <button>{label}</button>;
export default function App() { return <Button label="x" />; }
""",
        """
        function Button
        function App
        """,
        [(1, 1)],
    ),
    "java": (
        """\
package com.x;
import java.util.List;
import java.io.*;

/** Doc. */
@Service
public class Greeter<T> implements Hello {
    private int n;
    public Greeter() { n = 1; }
    /** hi */
    @Override
    public String greet(String who) { return who; }
    static class Inner { void deep() {} }
    enum Mode { A, B; void m() {} }
}
interface Hello { String greet(String who); }
record Point(int x, int y) { }
@interface Anno {}
""",
        """
        class Greeter
        method Greeter > Greeter
        method Greeter > greet
        class Greeter > Inner
        method Greeter.Inner > deep
        enum Greeter > Mode
        method Greeter.Mode > m
        interface Hello
        method Hello > greet
        record Point
        interface Anno
        """,
        [(2, 3)],
    ),
    "kotlin": (
        """\
package a.b
import kotlin.math.max
import java.util.*

/** Doc */
@Anno(X::class)
class Greeter(val n: Int) : Base() {
    fun greet(who: String): String = "hi"
    companion object {
        fun make() = Greeter(1)
    }
    constructor(a: String) : this(1)
}
interface Hello {
    fun greet()
}
object Single {
    fun one() = 1
}
enum class Mode { A, B }
data class P(val x: Int)
fun String.twice(): String = this + this
typealias Id = String
""",
        """
        class Greeter
        method Greeter > greet
        object Greeter > Companion
        method Greeter.Companion > make
        method Greeter > constructor
        interface Hello
        method Hello > greet
        object Single
        method Single > one
        enum Mode
        class P
        function twice
        type Id
        """,
        [(2, 3)],
    ),
    "scala": (
        """\
package a.b
import scala.collection.mutable

/** Doc */
class Greeter(n: Int) extends Base {
  def greet(who: String): String = { "hi" }
  val x = 1
}
object Greeter { def make() = new Greeter(1) }
trait Hello { def greet(): Unit }
enum Color { case Red }
type Id = String
""",
        """
        class Greeter
        method Greeter > greet
        object Greeter
        method Greeter > make
        trait Hello
        method Hello > greet
        enum Color
        type Id
        """,
        [(2, 2)],
    ),
    "go": (
        """\
package main

import "fmt"
import (
	"os"
)

// Server serves.
type Server struct { n int }
type Hello interface { Greet() string }
type ID = string

// Start starts.
func (s *Server) Start() error { return nil }
func (l List[T]) Push(x T) {}
func main() { fmt.Println(os.Args) }
const A = 1
""",
        """
        struct Server
        interface Hello
        type ID
        method Server > Start
        method List > Push
        function main
        """,
        [(3, 6)],
    ),
    "rust": (
        """\
use std::io;
use std::{fmt, fs};
extern crate serde;

/// Doc.
#[derive(Debug)]
pub struct Point { x: i32 }
pub enum Mode { A, B }
pub trait Hello { fn greet(&self) -> String; fn two(&self) { } }
impl Point {
    /// New.
    #[inline]
    pub fn new() -> Self { Point { x: 1 } }
}
impl fmt::Display for Point { fn fmt(&self) {} }
mod inner { pub fn deep() {} }
macro_rules! mac { () => {} }
pub type Id = u32;
const MAX: u32 = 1;
fn main() {}
union U { a: u32 }
""",
        """
        struct Point
        enum Mode
        trait Hello
        method Hello > greet
        method Hello > two
        method Point > new
        method Point > fmt
        module inner
        function inner > deep
        macro mac
        type Id
        constant MAX
        function main
        union U
        """,
        [(1, 3)],
    ),
    "c": (
        """\
#include <stdio.h>
#include "x.h"
#define MAX 10
#define SQ(x) ((x)*(x))
/* Doc. */
struct point { int x; };
typedef struct { int y; } other_t;
typedef struct node { int z; } node_t;
enum mode { A, B };
union u { int a; };
#ifdef FOO
static int *helper(int a) { return 0; }
#endif
int (*fp(int a))(int) { return 0; }
int main(int argc, char **argv) { struct point p; return 0; }
extern int declared(int);
struct point forward;
""",
        """
        macro MAX
        macro SQ
        struct point
        type other_t
        type node_t
        enum mode
        union u
        function helper
        function fp
        function main
        """,
        [(1, 2)],
    ),
    "cpp": (
        """\
#include <vector>
using namespace std;
namespace geo { namespace deep {
// Doc
template <typename T>
class Shape : public Base {
 public:
  Shape() {}
  ~Shape() {}
  virtual double area() const { return 0; }
  int operator+(int x) { return x; }
};
struct P { int x; void m() { } };
enum class Mode { A };
}}
void geo::Shape::grow(int n) { }
template <class T> T& maximum(T a) { return a; }
extern "C" { int cfun(void) { return 1; } }
using Alias = int;
""",
        """
        namespace geo
        namespace geo > deep
        class geo.deep > Shape
        method geo.deep.Shape > Shape
        method geo.deep.Shape > ~Shape
        method geo.deep.Shape > area
        method geo.deep.Shape > operator+
        struct geo.deep > P
        method geo.deep.P > m
        enum geo.deep > Mode
        method geo.Shape > grow
        function maximum
        function cfun
        type Alias
        """,
        [(1, 2)],
    ),
    "objc": (
        """\
#import <Foundation/Foundation.h>
// Doc
@interface Greeter : NSObject
- (NSString *)greet:(NSString *)who;
@end
@implementation Greeter
- (NSString *)greet:(NSString *)who with:(int)x { return who; }
+ (void)make { }
@end
@protocol Hello
- (void)hi;
@end
int main(void) { return 0; }
""",
        """
        interface Greeter
        class Greeter
        method Greeter > greet
        method Greeter > make
        protocol Hello
        function main
        """,
        [(1, 1)],
    ),
    "csharp": (
        """\
using System;
using System.Linq;
namespace A.B {
    /// <summary>Doc</summary>
    [Serializable]
    public class Greeter : Base {
        public Greeter() { }
        public string Name { get; set; }
        [Test]
        public string Greet(string who) { return who; }
    }
    interface IHello { void Hi(); }
    struct S { }
    enum E { A }
    record R(int X);
    delegate void D();
}
""",
        """
        namespace A.B
        class A.B > Greeter
        method A.B.Greeter > Greeter
        property A.B.Greeter > Name
        method A.B.Greeter > Greet
        interface A.B > IHello
        method A.B.IHello > Hi
        struct A.B > S
        enum A.B > E
        record A.B > R
        type A.B > D
        """,
        [(1, 2)],
    ),
    "ruby": (
        """\
require "json"
require_relative "x"

# Doc
module Tools
  # Doc of class
  class Greeter < Base
    attr_reader :n
    def greet(who) = "hi"
    def self.make
      new
    end
    class << self
      def other; end
    end
  end
  class A::B; end
end
def top
  1
end
""",
        """
        module Tools
        class Tools > Greeter
        method Tools.Greeter > greet
        method Tools.Greeter > make
        method Tools.Greeter > other
        class Tools > A::B
        function top
        """,
        [(1, 2)],
    ),
    "php": (
        """\
<?php
namespace A\\B;
use X\\Y;
use Z;
require 'x.php';

/** Doc */
#[Attr]
final class Greeter extends Base {
    use T;
    public function greet(string $who): string { return $who; }
}
interface Hello { function greet(); }
trait T { function t() {} }
enum Mode { case A; }
function top() {}
""",
        """
        class Greeter
        method Greeter > greet
        interface Hello
        method Hello > greet
        trait T
        method T > t
        enum Mode
        function top
        """,
        [(3, 5)],
    ),
    "swift": (
        """\
import Foundation

/// Doc
@objc
public class Greeter: Base {
    init() {}
    func greet(who: String) -> String { return who }
    var size: Int { 1 }
}
protocol Hello { func greet() }
struct S { func m() {} }
enum Mode { case a }
extension S: Hello { func greet() {} }
func top() {}
typealias Id = String
""",
        """
        class Greeter
        method Greeter > init
        method Greeter > greet
        protocol Hello
        method Hello > greet
        struct S
        method S > m
        enum Mode
        extension S
        method S > greet
        function top
        type Id
        """,
        [(1, 1)],
    ),
    "lua": (
        """\
local json = require("json")
local M = {}
-- Doc
function M.greet(who) return who end
function M:meth() end
local function helper() end
M.other = function() end
local f = function() end
return M
""",
        """
        method M > greet
        method M > meth
        function helper
        method M > other
        function f
        """,
        [(1, 1)],
    ),
    "bash": (
        """\
#!/bin/bash
source ./x.sh
. y.sh
# Doc
greet() { echo hi; }
function other { echo; }
X=1
""",
        """
        function greet
        function other
        """,
        [(3, 3)],
    ),
    "elixir": (
        """\
defmodule App.Greeter do
  @moduledoc "Doc"
  use GenServer
  alias App.X
  import Y
  defstruct [:a]

  @doc "Greets."
  @spec greet(String.t()) :: String.t()
  def greet(who) when is_binary(who), do: who
  def greet(_), do: nil
  defp hidden(a), do: a
  defmacro mac(x) do
    x
  end
end
defprotocol P do
  def size(x)
end
defimpl P, for: Map do
  def size(m), do: 1
end
""",
        """
        module App.Greeter
        function App.Greeter > greet
        function App.Greeter > hidden
        macro App.Greeter > mac
        protocol P
        method P > size
        method P > size
        """,
        [(3, 5)],
    ),
    "haskell": (
        """\
module Main (main) where

import Data.List
import qualified Data.Map as M

-- | Doc
data Shape = Circle Int | Square
newtype Id = Id Int
type Name = String
class Hello a where
  greet :: a -> String
instance Hello Shape where
  greet _ = "hi"

-- | Area.
area :: Shape -> Int
area (Circle r) = r
area Square = 1

main :: IO ()
main = print 1
""",
        """
        type Shape
        type Id
        type Name
        class Hello
        method Hello > greet
        function area
        function main
        """,
        [(3, 4)],
    ),
    "dart": (
        """\
library foo;
import 'dart:io';
part 'x.dart';
/// Doc
@immutable
class Greeter extends Base {
  Greeter(this.n);
  final int n;
  String greet(String who) { return who; }
  static int make() => 1;
  int get size => 1;
}
mixin M { void m() {} }
extension E on String { String twice() => this; }
enum Mode { a, b }
typedef F = void Function();
void main() { print(1); }
""",
        """
        class Greeter
        method Greeter > Greeter
        method Greeter > greet
        method Greeter > make
        method Greeter > size
        mixin M
        method M > m
        extension E
        method E > twice
        enum Mode
        type F
        function main
        """,
        [(2, 3)],
    ),
    "zig": (
        """\
const std = @import("std");
/// Doc
pub const Point = struct {
    x: i32,
    pub fn new() Point { return .{ .x = 1 }; }
};
const Mode = enum { a, b };
pub fn main() void {}
test "works" {}
""",
        """
        struct Point
        method Point > new
        enum Mode
        function main
        test works
        """,
        [(1, 1)],
    ),
    "r": (
        """\
library(dplyr)
require("x")
# Doc
greet <- function(who) { paste(who) }
other = function() 1
setClass("P", representation(x = "numeric"))
x <- 1
""",
        """
        function greet
        function other
        class P
        """,
        [(1, 2)],
    ),
    "julia": (
        """\
module Tools
using LinearAlgebra
import Base: show
"Doc"
struct Point{T} <: Shape
  x::T
end
abstract type Shape end
\"\"\"
Doc greet
\"\"\"
function greet(who::String)::String
  who
end
short(x) = x + 1
macro mac(x) x end
end
""",
        """
        module Tools
        struct Tools > Point
        type Tools > Shape
        function Tools > greet
        function Tools > short
        macro Tools > mac
        """,
        [(2, 3)],
    ),
    "perl": (
        """\
package Foo::Bar;
use strict;
use List::Util qw(sum);
require X;
# Doc
sub greet { my ($who) = @_; return $who; }
=pod

doc

=cut
sub other { 1 }
1;
""",
        """
        package Foo::Bar
        function greet
        function other
        """,
        [(2, 4)],
    ),
    "ocaml": (
        """\
open Printf
(** Doc *)
let greet who = who
let rec fact n = if n = 0 then 1 else n * fact (n-1)
and other x = x
type shape = Circle of int | Square
module M = struct
  let inner x = x
end
module type S = sig val x : int end
class point = object method x = 1 end
exception Bad of string
""",
        """
        function greet
        function fact
        function other
        type shape
        module M
        function M > inner
        interface S
        class point
        method point > x
        """,
        [(1, 1)],
    ),
    "sql": (
        """\
-- Doc
CREATE TABLE users (id INT PRIMARY KEY, name TEXT);
CREATE VIEW v AS SELECT * FROM users;
CREATE OR REPLACE FUNCTION add(a int) RETURNS int AS $$ BEGIN RETURN a; END; $$ LANGUAGE plpgsql;
CREATE INDEX idx ON users (name);
SELECT 1;
""",
        """
        type users
        view v
        function add
        index idx
        """,
        [],
    ),
    "scss": (
        """\
@use "x";
@mixin foo($a) { color: $a; }
.a { .b { color: red; } }
@function twice($x) { @return $x * 2; }
""",
        """
        function foo
        function twice
        """,
        [(1, 1)],
    ),
    "hcl": (
        """\
# Doc
resource "aws_x" "main" {
  a = 1
}
variable "y" {}
locals { z = 1 }
""",
        """
        resource aws_x.main
        resource y
        """,
        [],
    ),
    "proto": (
        """\
syntax = "proto3";
package a;
import "x.proto";
// Doc
message Person { string name = 1; message In { int32 x = 1; } enum K { A = 0; } }
service Greeter { rpc Hi (Person) returns (Person); }
enum Mode { A = 0; }
""",
        """
        message Person
        message Person > In
        enum Person > K
        service Greeter
        method Greeter > Hi
        enum Mode
        """,
        [(3, 3)],
    ),
    "graphql": (
        """\
"Doc"
type User implements Node { id: ID! name: String }
input I { a: Int }
enum E { A }
interface Node { id: ID! }
union U = User | I
scalar Date
query Q { user { id } }
""",
        """
        type User
        type I
        enum E
        interface Node
        type U
        type Date
        function Q
        """,
        [],
    ),
    "powershell": (
        """\
using module X
Import-Module Y
# Doc
function Get-Thing {
  param($x)
  $x
}
class Greeter {
  [string] Greet() { return "x" }
}
enum Mode { A }
""",
        """
        function Get-Thing
        class Greeter
        method Greeter > Greet
        enum Mode
        """,
        [(1, 2)],
    ),
    "clojure": (
        """\
(ns app.core (:require [x.y :as y]))
;; Doc
(defn greet "doc" [who] who)
(def x 1)
(defprotocol P (m [this]))
(defrecord R [a])
(defmacro mac [x] x)
""",
        """
        function greet
        constant x
        protocol P
        record R
        macro mac
        """,
        [(1, 1)],
    ),
    "scheme": (
        """\
(define (greet who) who)
(define x 1)
(define-syntax mac (syntax-rules () ((_) 1)))
""",
        """
        function greet
        function x
        macro mac
        """,
        [],
    ),
    "racket": (
        """\
#lang racket
(require racket/list)
;; Doc
(define (greet who) who)
(struct point (x y))
""",
        """
        function greet
        struct point
        """,
        [(2, 2)],
    ),
    "erlang": (
        """\
-module(greeter).
-export([greet/1]).
-include("x.hrl").
-record(state, {a, b}).
%% Doc
greet(a) -> a;
greet(_) -> b.
-spec other(integer()) -> integer().
other(X) -> X.
""",
        """
        record state
        function greet
        function other
        """,
        [(3, 3)],
    ),
    "fortran": (
        """\
module tools
  use iso_fortran_env
  implicit none
  type :: point
    real :: x
  end type
contains
  ! Doc
  subroutine greet(who)
    integer :: who
  end subroutine greet
  function twice(x) result(y)
    real :: x, y
    y = 2*x
  end function twice
end module tools
program main
  print *, 1
end program main
""",
        """
        module tools
        struct tools > point
        function tools > greet
        function tools > twice
        module main
        """,
        [(2, 2)],
    ),
    "groovy": (
        """\
package a
import b.c
/**
 * Doc
 */
class Greeter {
  def greet(String who) { who }
  String other() { "x" }
}
def top() { 1 }
""",
        """
        class Greeter
        method Greeter > greet
        method Greeter > other
        function top
        """,
        [(2, 2)],
    ),
    "solidity": (
        """\
pragma solidity ^0.8;
import "x.sol";
/// Doc
contract Token is Base {
  uint x;
  event E(uint a);
  modifier only() { _; }
  constructor() {}
  function transfer(address to) public returns (bool) { return true; }
}
interface I { function f() external; }
library L { function g() internal {} }
struct S { uint a; }
""",
        """
        contract Token
        event Token > E
        method Token > only
        method Token > constructor
        method Token > transfer
        interface I
        method I > f
        library L
        method L > g
        struct S
        """,
        [(2, 2)],
    ),
    "vim": (
        """\
" Doc
function! s:Greet(who) abort
  return a:who
endfunction
command! X call s:Greet(1)
set nu
""",
        """
        function s:Greet
        """,
        [],
    ),
    "cmake": (
        """\
# Doc
function(greet who)
  message(${who})
endfunction()
macro(mac)
endmacro()
include(x)
add_library(foo a.c)
""",
        """
        function greet
        macro mac
        """,
        [(7, 7)],
    ),
    "make": (
        """\
include x.mk
CC = gcc
# Doc
all: foo
	echo hi
define mac
x
endef
""",
        """
        target all
        macro mac
        """,
        [(1, 1)],
    ),
    "just": (
        """\
import 'x.just'
# Doc
build target:
  echo hi
""",
        """
        target build
        """,
        [(1, 1)],
    ),
    "starlark": (
        """\
load("//x:y.bzl", "z")
# Doc
def greet(who):
    return who
cc_library(name = "foo", srcs = [])
""",
        """
        function greet
        """,
        [(1, 1)],
    ),
    "vue": (
        """\
<template>
  <div>漢😀</div>
</template>
<script setup lang="ts">
import a from 'a'
/** Doc */
const f = () => 1
</script>
<style>.a { }</style>
""",
        """
        function f
        """,
        [(5, 5)],
    ),
}


def described(language: str, text: str) -> tuple[list[str], list[tuple[int, int]]]:
    result = chunked(text, language)
    definitions = [
        f"{d.kind} {d.container} > {d.name}" if d.container else f"{d.kind} {d.name}"
        for d in result.definitions
    ]
    assert result.fallback is None or not definitions
    return definitions, [(run.first_line, run.last_line) for run in result.imports]


@pytest.mark.parametrize("language", SAMPLES)
def test_language_yields_definitions_and_imports(language):
    text, expected, imports = SAMPLES[language]
    assert described(language, text) == (
        [line.strip() for line in expected.split("\n")[1:-1]],
        imports,
    )
