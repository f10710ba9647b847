@echo off
rem The same as the script beside it, for Windows.
setlocal
set ELECTRON_RUN_AS_NODE=1
if not defined GANTRY_NODE set GANTRY_NODE=node
"%GANTRY_NODE%" "%~dp0..\..\headless.js" %*
